import TestSupport

/// Seeds that failed in hunts; where a plain test shows as much, the tests of the faulty part have one, too.
enum KeptSeeds {
  /// Every fifth, and all of them in a sweep.
  static var wanted: [UInt64] {
    all.enumerated().filter { Sweep.isWanted || $0.offset % 5 == 0 }.map(\.element)
  }

  private static let all: [UInt64] = [
    // A damaged length kept good frames back for seconds.
    588_523_171,
    // Two flipped bits in a sentence moved the position.
    3_785_408_788,
    // The order for NAV-PVT went unanswered and was never given again.
    6_038,
    // An epoch of before a change of the speed came out seconds later.
    7_793,
    // A first fix was 26 m off with all satellites and a DOP that promised 7 m.
    6_446,
    // "None" of NAV-STATUS ended what SEC-SIG went on indicating.
    36,
    // A sequence that opened got a fix of seconds ago, and the checker took it for a fresh one.
    883, 2_287,
    // Sentences that had been switched off left an epoch behind, which came out as news.
    7_197, 6_654,
    // The texts of a start made an epoch of before a restart look fresh.
    3_495_258_952,
    // An answer waited behind a damaged length while its order was repeated.
    3_453, 13_274, 3_045_279_501,
    // A frame that damage had made was believed, as it must be.
    13_174, 14_731, 19_170,
    // A receiver that was wanted as it was sent to sleep proved with its last frame that it wakes, and slept a day.
    4_366,
    // A client that does not pause kept the receiver awake, and its polls were expected too soon.
    1_791, 5_426,
    // A client came back after its time was up, while the timer was late, and took up updates that had lapsed.
    4_180,
    // A record of live updates was true when it was written, and the checker counted from an earlier one.
    1_428_034_352,
    // A solution of generation 6 waited for a message that comes with every second solution only.
    2_427_269_145, 15_091, 18_361,
    // A solution that lacked a message was told a second later, and the checker did not wait for that.
    3_834_707_189,
    // A report counted updates that had lapsed, because the timer was late.
    4_238_988_525,
    // A process that came back was told to rest with a position that had been lost.
    18_557,
    // A dwell was full when the position was lost: the app was told both.
    19_503,
    // A rest that one distant solution contradicted was told anew.
    19_514,
    // A rest that the speed of one solution contradicted was told anew.
    3_516_847_037, 2_078_980_632, 3_660_971_688,
    // A rest was told 4.8 s after the last witness; one had begun with what a dwell had filled a minute before.
    3_701_981_871, 3_383_614_739,
    // A board rested elsewhere than before, and an app that had paused was told so with its first fix.
    640_122_905,
    // A rate that no sequence wanted any more was ordered again.
    2_618_123_647,
    // A refusal of before was taken for that of an order that was written at the instant of its reading.
    653_727_471,
    // Sentences were ordered and withdrawn within 0.3 s, and both have one acknowledgement.
    208_856_121,
    // The checkers complained without a fault: of switches that had failed, of an epoch that a restart had cut off, of an app
    // that was taken up twice.
    3_837_378_633, 1_102_702_220, 2_045_391_960, 490_890_294, 543_098_395, 4_250_030_706,
    // The same: of an answer to the daemon before, of SEC-SIG after a change of the rate, of a start of two seconds.
    3_112_033_853, 555_619_211, 631_497_206,
    // The first fix after services had come on again was left out.
    908_349_902,
    // A receiver that nothing wakes started anew while it was being woken, and was believed to wake.
    1_134_311_790,
    // An order that read back otherwise was never given again.
    1_422_701_697,
    // A receiver that starts anew by itself is awake, and the looks begin anew.
    179_611_158, 13_260,
    // Orders that stayed unanswered and are given once more are given up without another word.
    3_543_400_777,
    // A receiver that did not wake during the faults is left on for ten minutes.
    2_506_147_114, 16_129,
    // An idling engine shook the board by more than the least threshold when the power had come back.
    4_271_289_324,
    // Sentences were switched on beside UBX at 9600 baud: positions and answers came seconds late.
    788_234_540, 3_586_230_670, 3_092_460_576, 2_833_638_383,
    // A refusal from before a reset was taken for that of the first order after it.
    593_750_211, 2_145_308_274, 456_880_143,
    // Sentences that were switched off left an epoch behind, and a reset of the receiver switched them on again.
    3_437_923_861,
    // A receiver that nothing wakes slept when the power had come back.
    1_362_977_713,
    // Of several commits that failed the first was on the disk.
    2_362_738_423, 2_606_799_136,
    // Updates lapsed at the instant at which the device was lost, and an order was written to it.
    3_959_519_190, 1_914_078_723, 2_469_216_181,
    // An epoch that lacked a message came out 2.6 s old, when the line had paused.
    303_072_651,
    // A line at 9600 baud was full: the receiver answered four seconds late, and was only read.
    3_550_478_744, 3_392_629_364,
    // A receiver that was plugged in again slept anew, and its looks began anew.
    4_010_811_910, 2_648_201_595, 3_422_774_858, 540_787_506,
    // A board was carried, and its chip, which had been in trouble, felt that.
    2_605_006_713,
    // A pause was told again with a fix that had come after the pause of another process.
    2_104_186_815,
    // An order to sleep was lost, and the receiver that went on sending was believed to wake.
    905_437_737,
    // A receiver was on for four seconds to show that it wakes.
    2_285_397_088,
    // An epoch that was cut off came out late, to a faster sequence only.
    2_108_713_539,
    // A read failed that only the checkers made.
    1_637_607_272,
    // A key was refused when it was set and when it was read back, and the first refusal was lost.
    3_858_568_961,
  ]
}
