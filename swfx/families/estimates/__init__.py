"""Models of requested times, one file each; the registry imports every module of this folder."""
