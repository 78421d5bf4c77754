const isProse = (text) => /\S\s+\S/.test(text)

/** Keeps Stryker from emptying sentences for people: no test asks for their words. */
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
