import CloudClient
import CommandLine

extension SignIn {
    /// Asks at the terminal for a sign-in in the middle of a run: by the browser, or a pasted token.
    ///
    /// - Returns: nil when nobody signed in; why is told.
    func again() async -> Person? {
        let errors = environment.errors
        do throws(SignInFailure) {
            let url = try await signInURL(for: nil)
            errors.write(
                """
                The sign-in to \(address.container.rawValue) has expired. To continue, sign in again as the same user at
                  \(Visible.text(url))
                and paste the token here, or press Return to sign in through the browser: 
                """ + " ")
            let line = await environment.input.secret(within: timeout)
            errors.write("\n")
            guard let line else { return nil }
            guard !line.allSatisfy(\.isWhitespace) else { return try await identify(browse(0)) }
            return try await identify(PastedToken.checked(line))
        } catch {
            errors.write("Not signed in: \(Visible.text(error.reason)).\n")
            return nil
        }
    }
}
