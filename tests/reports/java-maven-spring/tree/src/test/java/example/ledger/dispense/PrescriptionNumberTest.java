package example.ledger.dispense;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class PrescriptionNumberTest {
    @Test
    void acceptsAMultipleOfEleven() {
        assertDoesNotThrow(() -> new PrescriptionNumber("11000000"));
    }

    @Test
    void refusesAWrongCheckDigit() {
        assertThrows(IllegalArgumentException.class, () -> new PrescriptionNumber("11000001"));
    }

    @Test
    void refusesLetters() {
        assertThrows(IllegalArgumentException.class, () -> new PrescriptionNumber("ABCDEFGH"));
    }
}
