package dev.unjank.query.parse;

import dev.unjank.query.source.Token;
import java.util.List;

/** A macro, which replaces a call by tokens. */
public sealed interface Macro {
    /**
     * A macro defined in SQL.
     *
     * @param parameters names in lower case
     * @param body its tokens, including parameters
     */
    record Written(List<String> parameters, List<Token> body) implements Macro {}

    /** A macro implemented in Java. */
    non-sealed interface BuiltIn extends Macro {
        /** Expands a call. */
        String expand(Token call, List<List<Token>> arguments);
    }
}
