"""The modal estimates of Tsafrir, Etsion and Feitelson, step by step."""
