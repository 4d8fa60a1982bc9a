import { foreignText } from '#server/domain/text/shown-text.ts'

/** In place of a name that is empty, or has nothing that can be shown. */
export const NAMELESS = 'sin nombre'

/** `“María Núñez”`: the text as a quotation that nothing in it can end. */
export const quoted = (text: string, max?: number): string =>
  `“${foreignText(text, max) || NAMELESS}”`
