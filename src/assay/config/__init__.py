"""Configuration: YAML files are read into frozen structs; errors name the file and line."""
