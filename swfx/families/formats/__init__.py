"""Log formats other than SWF, one file each; the registry imports every module of this folder."""
