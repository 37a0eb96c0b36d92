import ts from 'typescript';

const combinators = new Set(['all', 'allSettled', 'any', 'race']);

const messages = {
  argument:
    'This promise is made before the called function has run: when that function throws first, the rejection of the promise is unhandled. Pass a function that makes the promise.',
  variable:
    'Something that can throw stands between the making of this promise and its handling, so its rejection may be unhandled. Handle it in the next statement, or make it later.',
  element:
    'When this call throws, the promises made before it in the same list are unhandled. Make the called function async.',
};

/**
 * A promise must be handled before anything else can throw: an exception in between leaves its rejection without a handler,
 * which reports a defect at best and ends the process at worst.
 */
export default {
  meta: {
    type: 'problem',
    messages,
    schema: [{ type: 'object', properties: { handlers: { type: 'array', items: { type: 'string' } } } }],
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    if (!services.program) return {};
    // Functions that handle a promise they are given before anything in them can throw.
    const { handlers = [] } = context.options[0] ?? {};
    const checker = services.program.getTypeChecker();

    const isPromise = (node) => {
      const type = services.getTypeAtLocation(node);
      return checker.getPromisedTypeOfPromise(type) !== undefined;
    };

    const isMade = (node) =>
      (node.type === 'CallExpression' || node.type === 'NewExpression') && isPromise(node) && !neverRejects(node);

    const isCombinator = ({ callee }) =>
      callee.type === 'MemberExpression' &&
      callee.object.type === 'Identifier' &&
      callee.object.name === 'Promise' &&
      callee.property.type === 'Identifier' &&
      combinators.has(callee.property.name);

    /** A call of ours that is not async may throw instead of rejecting. */
    const mayThrow = (node) => {
      if (node.type !== 'CallExpression') return false;
      const declaration = checker.getResolvedSignature(services.esTreeNodeToTSNodeMap.get(node))?.declaration;
      if (!declaration || declaration.getSourceFile().isDeclarationFile) return false;
      if (!ts.isFunctionLike(declaration) || !('body' in declaration) || !declaration.body) return false;
      return !declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    };

    return {
      CallExpression(node) {
        if (isCombinator(node)) {
          const [list] = node.arguments;
          if (list?.type !== 'ArrayExpression') return;
          const made = list.elements.filter((element) => element !== null && isMade(element));
          for (const element of made.slice(1))
            if (mayThrow(element)) context.report({ node: element, messageId: 'element' });
          return;
        }
        if (!isOurs(node) || handlers.includes(node.callee.name)) return;
        for (const argument of node.arguments) {
          if (isMade(argument)) context.report({ node: argument, messageId: 'argument' });
        }
      },
      VariableDeclaration(node) {
        for (const { id, init } of node.declarations) {
          if (!init || id.type !== 'Identifier' || !isMade(init)) continue;
          const next = statementAfter(node);
          if (next && !mentions(context.sourceCode, next, id.name))
            context.report({ node: init, messageId: 'variable' });
        }
      },
    };

    function isOurs(node) {
      const declaration = checker.getResolvedSignature(services.esTreeNodeToTSNodeMap.get(node))?.declaration;
      return Boolean(declaration && !declaration.getSourceFile().isDeclarationFile);
    }
  },
};

/** `new Promise((resolve) => …)`, `….then(done, failed)` and `….catch(failed)`. */
const neverRejects = (node) => {
  if (node.type === 'NewExpression') return node.arguments[0]?.params?.length === 1;
  const { callee } = node;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  const { name } = callee.property;
  return (name === 'then' && node.arguments.length === 2) || name === 'catch';
};

const statementAfter = (node) => {
  const { parent } = node;
  if (!('body' in parent) || !Array.isArray(parent.body)) return null;
  return parent.body[parent.body.indexOf(node) + 1] ?? null;
};

const mentions = (sourceCode, node, name) =>
  sourceCode.getTokens(node).some((token) => token.type === 'Identifier' && token.value === name);
