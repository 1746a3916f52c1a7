package dev.unjank.trace.proto;

/** Field numbers of Perfetto's messages for tracks and track events; see {@link PacketFields}. */
@SuppressWarnings(
        "doclint:missing") // each constant is its own documentation: the field's name in the published proto file
public final class TrackEventFields {
    private TrackEventFields() {}

    public static final class TrackDescriptor {
        public static final int UUID = 1;
        public static final int NAME = 2;
        public static final int PROCESS = 3;
        public static final int THREAD = 4;
        public static final int PARENT_UUID = 5;
        public static final int COUNTER = 8;
        public static final int STATIC_NAME = 10;
        public static final int DESCRIPTION = 14;
        public static final int SIBLING_MERGE_BEHAVIOR = 15;

        /** Value of SIBLING_MERGE_BEHAVIOR. */
        public static final int SIBLING_MERGE_BEHAVIOR_NONE = 2;
    }

    public static final class CounterDescriptor {
        public static final int TYPE = 1;
        public static final int UNIT = 3;
        public static final int UNIT_MULTIPLIER = 4;
        public static final int IS_INCREMENTAL = 5;
        public static final int UNIT_NAME = 6;

        /** Value of TYPE. */
        public static final int THREAD_TIME_NS = 1;
        /** Value of TYPE. */
        public static final int THREAD_INSTRUCTION_COUNT = 2;

        /** Value of UNIT. */
        public static final int TIME_NS = 1;
        /** Value of UNIT. */
        public static final int COUNT = 2;
        /** Value of UNIT. */
        public static final int SIZE_BYTES = 3;
    }

    public static final class ProcessDescriptor {
        public static final int PID = 1;
        public static final int CMDLINE = 2;
        public static final int PROCESS_NAME = 6;
        public static final int PROCESS_LABELS = 8;

        /** The label of a Java virtual machine, defined by this project. */
        public static final String LABEL_JVM = "JVM";

        /**
         * The label of the process of a recorder that writes all losses, but other processes' wakeups only in part; of
         * this project.
         */
        public static final String LABEL_WAKEUPS = "wakeups of this process only";
    }

    public static final class ThreadDescriptor {
        public static final int PID = 1;
        public static final int TID = 2;
        public static final int THREAD_NAME = 5;
    }

    public static final class TrackEventDefaults {
        public static final int TRACK_UUID = 11;
        public static final int EXTRA_COUNTER_TRACK_UUIDS = 31;
        public static final int EXTRA_DOUBLE_COUNTER_TRACK_UUIDS = 45;
    }

    public static final class TrackEvent {
        public static final int CATEGORY_IIDS = 3;
        public static final int DEBUG_ANNOTATIONS = 4;
        public static final int LEGACY_EVENT = 6;
        public static final int TYPE = 9;
        public static final int NAME_IID = 10;
        public static final int TRACK_UUID = 11;
        public static final int EXTRA_COUNTER_VALUES = 12;
        public static final int CATEGORIES = 22;
        public static final int NAME = 23;
        public static final int COUNTER_VALUE = 30;
        public static final int EXTRA_COUNTER_TRACK_UUIDS = 31;
        public static final int FLOW_IDS_OLD = 36;
        public static final int TERMINATING_FLOW_IDS_OLD = 42;
        public static final int DOUBLE_COUNTER_VALUE = 44;
        public static final int EXTRA_DOUBLE_COUNTER_TRACK_UUIDS = 45;
        public static final int EXTRA_DOUBLE_COUNTER_VALUES = 46;
        public static final int FLOW_IDS = 47;
        public static final int TERMINATING_FLOW_IDS = 48;
        /** An extension: AndroidMessageQueue. */
        public static final int MESSAGE_QUEUE = 2004;

        /** Value of TYPE. */
        public static final int SLICE_BEGIN = 1;
        /** Value of TYPE. */
        public static final int SLICE_END = 2;
        /** Value of TYPE. */
        public static final int INSTANT = 3;
        /** Value of TYPE. */
        public static final int COUNTER = 4;
    }

    /** TrackEvent.LegacyEvent. */
    public static final class LegacyEvent {
        public static final int NAME_IID = 1;
        public static final int PHASE = 2;
        public static final int DURATION_US = 3;
        public static final int UNSCOPED_ID = 6;
        public static final int ID_SCOPE = 7;
        public static final int LOCAL_ID = 10;
        public static final int GLOBAL_ID = 11;
    }

    public static final class DebugAnnotation {
        public static final int NAME_IID = 1;
        public static final int BOOL_VALUE = 2;
        public static final int UINT_VALUE = 3;
        public static final int INT_VALUE = 4;
        public static final int DOUBLE_VALUE = 5;
        public static final int STRING_VALUE = 6;
        public static final int POINTER_VALUE = 7;
        public static final int NESTED_VALUE = 8;
        public static final int LEGACY_JSON_VALUE = 9;
        public static final int NAME = 10;
        public static final int DICT_ENTRIES = 11;
        public static final int ARRAY_VALUES = 12;
        public static final int STRING_VALUE_IID = 17;

        // Of NestedValue.
        public static final int NESTED_DICT_KEYS = 2;
        public static final int NESTED_DICT_VALUES = 3;
        public static final int NESTED_ARRAY_VALUES = 4;
        public static final int NESTED_INT_VALUE = 5;
        public static final int NESTED_DOUBLE_VALUE = 6;
        public static final int NESTED_BOOL_VALUE = 7;
        public static final int NESTED_STRING_VALUE = 8;
    }

    public static final class AndroidMessageQueue {
        public static final int SENDING_THREAD_NAME = 1;
        public static final int RECEIVING_THREAD_NAME = 2;
        public static final int MESSAGE_CODE = 3;
        public static final int MESSAGE_DELAY_MS = 4;
    }
}
