import Attribution
import Foundation

extension FuzzTarget {
    /// The file of a photograph.
    static let photos = FuzzTarget(
        name: "photos",
        summary: "photographs of contacts; one that is accepted has a size, and is no larger than allowed"
    ) { bytes in
        do throws(ContactPhotoError) {
            let photo = try ContactPhoto(base64: Data(bytes).base64EncodedString())
            promise(photo.size == bytes.count, "a photograph has the bytes of its file", found: photo)
            promise(
                max(photo.width, photo.height) <= ContactPhoto.maximumPixels && min(photo.width, photo.height) > 0,
                "a photograph is not larger than allowed",
                found: photo
            )
        } catch {
            promise(!"\(error)".isEmpty, "a photograph that is refused has a reason", found: error)
        }
    }
}
