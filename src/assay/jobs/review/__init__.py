"""How far a contract-risk reviewer can be trusted."""
