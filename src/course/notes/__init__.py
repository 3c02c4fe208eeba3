"""The lecture notes as data: worked examples with their printed figures."""
