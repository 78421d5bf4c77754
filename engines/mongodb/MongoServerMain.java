import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import java.util.List;

/** Serves MongoDB's protocol on a port of this machine, with its data in a file: java … MongoServerMain.java PORT FILE */
public class MongoServerMain {
    public static void main(String[] args) {
        // Drivers of today refuse servers below wire version 9; what this one can do is that of 5.0.
        MongoVersion version = new MongoVersion() {
            public List<Integer> getVersionArray() { return List.of(5, 0, 0); }
            public int getWireVersion() { return 13; }
        };
        MongoServer server = new MongoServer(new H2Backend(args[1]).version(version));
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown));
        server.bind("127.0.0.1", Integer.parseInt(args[0]));
    }
}
