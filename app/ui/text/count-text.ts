/** A number beside a name; above 99 the list behind it is not counted to its end. */
export const countText = (count: number): string => (count > 99 ? '99+' : String(count))
