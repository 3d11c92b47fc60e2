# The page of `annot html` as a C array: style and script go where the page names them.
#   cmake -DSOURCE=tools/annot/page -DOUT=page_template.c -P embed-page.cmake
file(READ "${SOURCE}/page.html" page)
file(READ "${SOURCE}/page.css" css)
file(READ "${SOURCE}/model.js" model)
file(READ "${SOURCE}/time.js" time)
file(READ "${SOURCE}/view.js" view)
string(REPLACE "@CSS@" "${css}" page "${page}")
string(REPLACE "@JS@" "${model}${time}${view}" page "${page}")
file(WRITE "${OUT}.html" "${page}")
file(READ "${OUT}.html" hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," hex "${hex}")
file(WRITE "${OUT}" "#include \"page/page.h\"\n\nconst char page_template[] = {\n${hex}0};\n")
