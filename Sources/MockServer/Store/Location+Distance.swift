import CloudModel
import Glibc

extension Location {
    /// Metres along the surface of a sphere as large as the Earth.
    func distance(to other: Location) -> Double {
        let radius = 6_371_008.8
        let radians = Double.pi / 180
        let latitudes = (latitude * radians, other.latitude * radians)
        let rise = sin((latitudes.1 - latitudes.0) / 2)
        let run = sin((other.longitude - longitude) * radians / 2)
        let square = rise * rise + cos(latitudes.0) * cos(latitudes.1) * run * run
        return 2 * radius * asin(min(1, square.squareRoot()))
    }
}
