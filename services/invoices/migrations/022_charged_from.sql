-- The day of the first automatic attempt that reached somebody: a card is charged for no lateness before it. NULL: none did.
ALTER TABLE automatic_charges ADD COLUMN charged_from date;
