import BinnacleModel
import BinnacleWire

/// An update with its packet.
struct EncodedUpdate {
  let update: Update
  var packet: UpdatePacket

  init(_ update: Update) {
    self.update = update
    packet = UpdatePacket(update)
  }
}
