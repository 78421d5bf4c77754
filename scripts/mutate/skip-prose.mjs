const isProse = (text) => /\S\s+\S/.test(text)

/** Keeps Stryker from emptying texts for people: no test checks their wording. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'prose',
    value: {
      shouldIgnore: (path) =>
        path.isStringLiteral() && isProse(path.node.value) ? 'a sentence for people' : undefined,
    },
  },
]
