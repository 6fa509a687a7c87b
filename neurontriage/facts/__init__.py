"""What a log prints about itself: environment and HLO modules."""
