"""What the notebooks share: finding scenes, classifying pixels."""
