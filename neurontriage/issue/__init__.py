"""A failure made ready for the tracker of aws-neuron-sdk: the text of an issue and a bundle of what is asked for."""
