import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { FIELDS } from '#tests/attacks/fields.ts'

testFamilies([...FIELDS])
