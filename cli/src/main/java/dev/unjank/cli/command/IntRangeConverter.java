package dev.unjank.cli.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converter of whole numbers from 1 to a maximum. Subclasses name the maximum: picocli creates converters itself. */
public abstract class IntRangeConverter implements ITypeConverter<Integer> {
    private final int max;

    protected IntRangeConverter(int max) {
        this.max = max;
    }

    @Override
    public Integer convert(String value) {
        int number = value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : 0;
        if (number < 1 || number > max) {
            throw new TypeConversionException("must be 1 to " + max);
        }
        return number;
    }
}
