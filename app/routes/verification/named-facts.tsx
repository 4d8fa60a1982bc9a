import { Fact, FactList } from '#app/ui/text/fact-list.tsx'
import { Hash } from '#app/ui/text/hash.tsx'

export type NamedFact = { name: string; value: string; isHash?: boolean }

/** Facts as a printable table. */
export function NamedFacts({ facts }: { facts: readonly NamedFact[] }) {
  return (
    <FactList>
      {facts.map(({ name, value, isHash }) => (
        <Fact key={name} name={name}>
          {isHash ? <Hash value={value} /> : value}
        </Fact>
      ))}
    </FactList>
  )
}
