struct CLLocation {}
