#!/usr/bin/env python3
"""Reads traces with Perfetto's published definitions and fails if one holds a field that these do not know.

    pip install perfetto==0.16.0        # the definitions; later ones do not know frames
    .ci/perfetto-oracle.py app.pftrace converted.pftrace
"""
import sys
from collections import Counter

try:
    from google.protobuf.unknown_fields import UnknownFieldSet
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as definitions
except ImportError as e:
    print(f"skipped: {e}; pip install perfetto")
    sys.exit(0)

# Extensions that Android's traces have: messages of queues, and frames where the package does not have them any more.
EXTENSIONS = {"packet.track_event:2004", "packet:76"}


def walk(message, path, unknown):
    for field in UnknownFieldSet(message):
        unknown[f"{path}:{field.field_number}"] += 1
    for field, value in message.ListFields():
        if field.message_type:
            for part in [value] if hasattr(value, "ListFields") else value:
                walk(part, f"{path}.{field.name}", unknown)


failed = False
for name in sys.argv[1:]:
    trace = definitions.Trace()
    with open(name, "rb") as file:
        trace.ParseFromString(file.read())
    kinds, unknown = Counter(), Counter()
    for packet in trace.packet:
        kinds[packet.WhichOneof("data")] += 1
        walk(packet, "packet", unknown)
    wrong = {path: count for path, count in unknown.items() if path not in EXTENSIONS}
    failed |= bool(wrong) or not kinds
    print(name, dict(kinds), "unknown fields:", wrong or "none")
sys.exit(failed)
