"""Models of priorities, one file each; the registry imports every module of this folder."""
