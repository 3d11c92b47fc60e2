// A frame that Qt draws by Vulkan, and reads back into the file that the last argument names.
import QtQuick
import QtQuick.Window

Window {
    visible: true
    width: 240
    height: 160
    Rectangle {
        id: scene
        anchors.fill: parent
        gradient: Gradient {
            GradientStop { position: 0; color: "navy" }
            GradientStop { position: 1; color: "orange" }
        }
        Rectangle { x: 60; y: 40; width: 80; height: 60; radius: 12; color: "#c0ffffff"; rotation: 20 }
        layer.enabled: true
    }
    Timer {
        interval: 200
        running: true
        onTriggered: scene.grabToImage(function (result) {
            Qt.exit(result.saveToFile(Qt.application.arguments[Qt.application.arguments.length - 1]) ? 0 : 3)
        })
    }
}
