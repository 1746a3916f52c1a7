/** {@code inversion-by-cores}: how long a mutex keeps an important thread waiting, by processors and kinds of mutex. */
@NullMarked
package dev.unjank.lab.inversion;

import org.jspecify.annotations.NullMarked;
