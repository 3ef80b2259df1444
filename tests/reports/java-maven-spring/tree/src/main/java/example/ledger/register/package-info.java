/** Pharmacies and their certificates. */
package example.ledger.register;
