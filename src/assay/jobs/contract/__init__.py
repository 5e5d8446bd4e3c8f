"""Review: how far can a contract-risk reviewer be trusted?"""
