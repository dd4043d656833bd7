import Basics
import ClientLinter
import MockService
import Testing

/// So many requests of each client, and waits that grow.
struct RequestThrottleTests {
    private func moment(_ seconds: Double) -> Timestamp {
        Timestamp(milliseconds: Int64(seconds * 1000))
    }
    private let phone = ClientName(session: "ann/phone")

    @Test func `after the burst a client has to wait, each time twice as long`() {
        var rate = RequestThrottle.Rate()
        (rate.perMinute, rate.burst) = (60, 3)
        var throttle = RequestThrottle(rate)
        for _ in 0..<3 { #expect(throttle.take(phone, now: moment(0)) == nil) }
        let waits = (0..<12).map { _ in throttle.take(phone, now: moment(0)) }
        #expect(Array(waits.prefix(5)) == [1, 2, 4, 8, 16].map { Optional(Duration.seconds($0)) })
        #expect(waits.last == RequestThrottle.waitMax)
        // Who waits is let through, and the next wait is short again.
        #expect(throttle.take(phone, now: moment(1)) == nil)
        #expect(throttle.take(phone, now: moment(1)) == .seconds(1))
        #expect(throttle.take(ClientName(session: "ann/desk"), now: moment(1)) == nil)
    }

    @Test func `a rate below one in a second asks for as long as a request takes`() {
        var rate = RequestThrottle.Rate()
        (rate.perMinute, rate.burst) = (6, 1)
        var throttle = RequestThrottle(rate)
        #expect(throttle.take(phone, now: moment(0)) == nil)
        #expect(throttle.take(phone, now: moment(0)) == .seconds(10))
        #expect(throttle.take(phone, now: moment(4)) == .seconds(12))
        #expect(throttle.take(phone, now: moment(10.5)) == nil)
    }

    @Test func `without a rate nobody waits, and a new one begins anew`() {
        var throttle = RequestThrottle()
        for _ in 0..<1000 { #expect(throttle.take(phone, now: moment(0)) == nil) }
        throttle.rate.perMinute = 60
        throttle.rate.burst = 1
        #expect(throttle.take(phone, now: moment(0)) == nil)
        #expect(throttle.take(phone, now: moment(0)) != nil)
        throttle.rate.burst = 2
        #expect(throttle.take(phone, now: moment(0)) == nil)
    }
}
