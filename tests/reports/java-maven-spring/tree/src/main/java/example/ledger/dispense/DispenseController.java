package example.ledger.dispense;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class DispenseController {
    private final DispenseService service;

    DispenseController(DispenseService service) {
        this.service = service;
    }

    @PostMapping("/prescriptions/{number}/dispense")
    @ResponseStatus(HttpStatus.CREATED)
    void dispense(@PathVariable String number) {
        service.dispense(new PrescriptionNumber(number));
    }
}
