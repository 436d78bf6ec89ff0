"""The painter of the plane, which makes figures and frames: its picture and its layers."""
