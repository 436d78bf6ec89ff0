"""The pictures of regression with two inputs."""
