import TestSupport

/// Seeds that failed in hunts; where a plain test shows the same fault, the tests of the faulty part have one as well.
enum KeptSeeds {
  /// Every fifth seed, and all seeds in a sweep.
  static var wanted: [UInt64] {
    all.enumerated().filter { Sweep.isWanted || $0.offset % 5 == 0 }.map(\.element)
  }

  private static let all: [UInt64] = [
    // A damaged length held good frames back for seconds.
    588_523_171,
    // Two flipped bits in a sentence moved the position.
    3_785_408_788,
    // The command for NAV-PVT got no answer and was never repeated.
    6_038,
    // An epoch from before a speed change came out seconds later.
    7_793,
    // A first fix had an error of 26 m, with all satellites and a DOP that stands for 7 m.
    6_446,
    // "None" in NAV-STATUS ended a threat that SEC-SIG still indicated.
    36,
    // A new sequence got a fix that was seconds old, and the checker treated the fix as fresh.
    883, 2_287,
    // Sentences that were switched off left an epoch behind, which came out as a new epoch.
    7_197, 6_654,
    // The text messages of a start made an epoch from before the restart look fresh.
    3_495_258_952,
    // An answer waited behind a damaged length while its command was repeated.
    3_453, 13_274, 3_045_279_501,
    // The engine believed a frame that damage had made, as it must.
    13_174, 14_731, 19_170,
    // A receiver was needed while it was sent to sleep; its last frame looked like a wakeup, and it slept for a day.
    4_366,
    // A client without a pause kept the receiver awake, and the checker expected the receiver's polls too early.
    1_791, 5_426,
    // A client returned after its window while the timer was late, and restored updates that had lapsed.
    4_180,
    // A record of live updates was right when it was written, and the checker counted from an earlier record.
    1_428_034_352,
    // A solution of generation 6 waited for a message that comes only with every second solution.
    2_427_269_145, 15_091, 18_361,
    // A solution without one of its messages came a second later, and the checker did not allow for that delay.
    3_834_707_189,
    // A report counted updates that had lapsed, because the timer was late.
    4_238_988_525,
    // A process that returned got a pause with a position that had been lost.
    18_557,
    // A dwell ended when the position was lost: the app got both updates.
    19_503,
    // The engine reported a rest again that one distant solution had contradicted.
    19_514,
    // The engine reported a rest again that the speed of one solution had contradicted.
    3_516_847_037, 2_078_980_632, 3_660_971_688,
    // The engine reported a rest 4.8 s after the last input; another rest began with a dwell that had ended a minute
    // earlier.
    3_701_981_871, 3_383_614_739,
    // A board rested at another place than before, and an app that had paused got a pause with its first fix.
    640_122_905,
    // The engine ordered a rate again that no sequence needed any more.
    2_618_123_647,
    // The engine took an earlier NAK for the answer to a command that was written at the instant of its reading.
    653_727_471,
    // Sentences were switched on and off within 0.3 s, and both commands have one acknowledgement.
    208_856_121,
    // The checkers complained without a fault: about switches that had failed, about an epoch that a restart had cut
    // off, and about an app that was restored twice.
    3_837_378_633, 1_102_702_220, 2_045_391_960, 490_890_294, 543_098_395, 4_250_030_706,
    // The checkers complained without a fault: about an answer to the earlier daemon, SEC-SIG after a rate change, a
    // slow start.
    3_112_033_853, 555_619_211, 631_497_206,
    // The engine left out the first fix after services were on again.
    908_349_902,
    // A receiver without a wakeup restarted while the engine was waking it, and the engine took the restart for a
    // wakeup.
    1_134_311_790,
    // A command that read back with another value was never repeated.
    1_422_701_697,
    // A receiver that restarts by itself is awake, and its checks start over.
    179_611_158, 13_260,
    // The engine abandons unanswered commands that it repeats later without a further log entry.
    3_543_400_777,
    // A receiver that did not wake during the faults stays on for ten minutes.
    2_506_147_114, 16_129,
    // An idling engine shook the board by more than the smallest threshold when the power returned.
    4_271_289_324,
    // Sentences were switched on beside UBX at 9600 baud: positions and answers came seconds late.
    788_234_540, 3_586_230_670, 3_092_460_576, 2_833_638_383,
    // The engine took a NAK from before a reset for the answer to the first command after the reset.
    593_750_211, 2_145_308_274, 456_880_143,
    // Sentences that were switched off left an epoch behind, and a reset of the receiver switched the sentences on
    // again.
    3_437_923_861,
    // A receiver without a wakeup was asleep when the power returned.
    1_362_977_713,
    // The first of several failed commits was on the disk.
    2_362_738_423, 2_606_799_136,
    // Updates lapsed at the instant at which the device was lost, and a command was written to the device.
    3_959_519_190, 1_914_078_723, 2_469_216_181,
    // An epoch without one of its messages came out 2.6 s old, after the line had paused.
    303_072_651,
    // A line at 9600 baud was full: the receiver answered four seconds late, and the engine only read.
    3_550_478_744, 3_392_629_364,
    // A receiver that was plugged in again fell asleep again, and its checks started over.
    4_010_811_910, 2_648_201_595, 3_422_774_858, 540_787_506,
    // A board was carried, and its faulty chip detected the motion.
    2_605_006_713,
    // A repeated pause had a fix that came after the pause of another process.
    2_104_186_815,
    // A command to sleep was lost, and the engine took the receiver's further output for a wakeup.
    905_437_737,
    // A receiver was on for four seconds to prove that it wakes.
    2_285_397_088,
    // An epoch that was cut off came out late, and only to a faster sequence.
    2_108_713_539,
    // A read that only the checkers make failed.
    1_637_607_272,
    // A key was refused when it was set and when it was read back, and the first refusal was lost.
    3_858_568_961,
    // A line at 9600 baud was full for longer, because an answer was lost in the full buffer.
    4_245_622_148,
    // An engine idled just below the threshold, and the board was not found at rest again after the daemon's end.
    2_481_636_189,
    // A board without an accelerometer moved and stopped while its receiver sent nothing.
    3_973_191_546,
    // The first position of a rest was inaccurate, and hid that the board had been carried away.
    1_570_645_142, 3_754_559_892,
    // A body that brakes by 2 m/s in a second had the speed of the epoch before.
    956_469_821,
    // The lamp was dark during the grace of an app with an always-session.
    183_652_129, 3_289_135_268, 1_746_862_228,
    // The answer "reduced" to a request for full accuracy was followed by the same request.
    245_093_340, 3_737_463_023, 4_052_499_954,
    // A button was released while its line was claimed, and the simulated edge came before the claim.
    208_560_413, 3_640_506_108,
    // Sentences of two epochs were damaged, and the VTG of the second one counted for the epoch before both.
    358_817_990,
    // After a restart the rest of before was reported while the board moved at 0.6 m/s, without an accelerometer.
    3_331_234_567,
    // The first epoch of sentences ended with the next one, after a silence of 2 s.
    3_227_453_874,
    // The receiver was awake for a refresh of its ephemerides, although its clients had left while it slept.
    2_693_280_624,
    // A daemon that started while the line was overloaded got no answer: the receiver's full buffer had no room for any.
    2_838_390_993,
    // A program had not been allowed before, and was denied when the answer for another file at its path was repeated.
    2_876_989_937,
  ]
}
