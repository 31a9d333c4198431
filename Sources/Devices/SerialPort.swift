struct SerialPort {}
