package dev.unjank.query.parse;

import dev.unjank.query.source.Token;
import java.util.List;

/** What a macro call becomes: other tokens. */
public sealed interface Macro {
    /**
     * A macro written in SQL.
     *
     * @param parameters their names, in lower case
     * @param body tokens, with parameters among them
     */
    record Written(List<String> parameters, List<Token> body) implements Macro {}

    /** A macro whose text depends on its arguments in a way that SQL cannot say. */
    non-sealed interface BuiltIn extends Macro {
        /**
         * The text that the call stands for.
         *
         * @param call to show when something is wrong
         * @param arguments the tokens of each
         */
        String expand(Token call, List<List<Token>> arguments);
    }
}
