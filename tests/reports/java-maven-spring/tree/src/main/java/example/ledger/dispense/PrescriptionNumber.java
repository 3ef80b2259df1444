package example.ledger.dispense;

/** Number of a prescription; the last digit is a check digit modulo 11. */
public record PrescriptionNumber(String value) {
    public PrescriptionNumber {
        if (!value.matches("\\d{8,24}") || check(value) != 0) {
            throw new IllegalArgumentException("no prescription number: " + value);
        }
    }

    private static int check(String digits) {
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            sum = sum * 10 + digits.charAt(i) - '0';
            sum %= 11;
        }
        return sum;
    }
}
