struct SimulatedReceiver {}
