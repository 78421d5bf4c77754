-- Automatic charges whose card fails or was given up: few, and they lead to the plans that need somebody.
CREATE INDEX automatic_charges_failing ON automatic_charges (seller_id, invoice_id)
  WHERE CASE status WHEN 'GIVEN_UP' THEN true WHEN 'NEEDS_CARD' THEN attempts > 0 OR reason <> 'NO_CARD'
    WHEN 'WAITING' THEN attempts > 0 END;
