"""Ablation: what does each component of a pipeline contribute?"""
