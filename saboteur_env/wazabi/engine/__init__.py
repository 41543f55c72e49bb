"""The rules of Wazabi as compiled kernels on one record."""
