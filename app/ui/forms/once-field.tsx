/**
 * For a form that makes something: sent twice, by a second click or after an answer that was lost, it makes it once.
 *
 * @param once a UUID that the page's loader makes
 */
export const OnceField = ({ once }: { once: string }) => (
  <input type="hidden" name="once" value={once} />
)
