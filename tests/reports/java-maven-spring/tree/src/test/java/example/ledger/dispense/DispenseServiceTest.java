package example.ledger.dispense;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import example.ledger.events.InsurerEvents;
import org.junit.jupiter.api.Test;

class DispenseServiceTest {
    private final InsurerEvents events = mock(InsurerEvents.class);
    private final DispenseService service = new DispenseService(events);

    @Test
    void tellsTheInsurer() {
        service.dispense(new PrescriptionNumber("11000000"));
        verify(events).dispensed("11000000");
    }

    @Test
    void neverTwice() {
        service.dispense(new PrescriptionNumber("11000000"));
        assertThrows(IllegalStateException.class, () -> service.dispense(new PrescriptionNumber("11000000")));
    }
}
