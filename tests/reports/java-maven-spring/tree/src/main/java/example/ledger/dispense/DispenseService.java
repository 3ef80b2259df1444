package example.ledger.dispense;

import example.ledger.events.InsurerEvents;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

/** Dispenses a prescription once. */
@Service
public class DispenseService {
    private final Set<PrescriptionNumber> seen = ConcurrentHashMap.newKeySet();
    private final InsurerEvents events;

    public DispenseService(InsurerEvents events) {
        this.events = events;
    }

    public void dispense(PrescriptionNumber number) {
        if (!seen.add(number)) {
            throw new IllegalStateException("already dispensed: " + number.value());
        }
        events.dispensed(number.value());
    }
}
