/** Dispensing, reversal and the check that nothing is dispensed twice. */
package example.ledger.dispense;
