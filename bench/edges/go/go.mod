module references

go 1.19
