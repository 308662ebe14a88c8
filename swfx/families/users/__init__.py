"""Models of who submits, one file each; the registry imports every module of this folder."""
