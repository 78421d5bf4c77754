-- Automatic charges whose card fails or was given up: few, and they lead to the plans that need somebody.
CREATE INDEX automatic_charges_failing ON automatic_charges (seller_id, invoice_id)
  WHERE CASE status WHEN 'GIVEN_UP' THEN true WHEN 'NEEDS_CARD' THEN attempts > 0 OR reason <> 'NO_CARD'
    WHEN 'WAITING' THEN attempts > 0 END;
-- What is open of a plan: few invoices, however many its cycles have made.
CREATE INDEX invoices_open_of_plan ON invoices (recurring_invoice_id) WHERE status = 'CLOSED' AND recurring_invoice_id IS NOT NULL;
