/** Makes names unique: `poder.pdf`, `poder (2).pdf`. Compares without case. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const dot = name.lastIndexOf('.')
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
    let distinct = name
    for (let count = 2; taken.has(distinct.toLowerCase()); count++)
      distinct = `${stem} (${count})${ending}`
    taken.add(distinct.toLowerCase())
    return distinct
  })
}
